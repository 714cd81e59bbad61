/**
 * What a trusted notebook runs for its charts: it replaces every image that has not been replaced yet by the SVG in it,
 * which takes the colours of the page, fills the cell up to a quarter more than its own width, and says what a mark is
 * where the pointer is. It needs no id, can run again, loads nothing, and writes data as text alone.
 */
export const PAGE_SCRIPT = `(()=>{for(const i of document.querySelectorAll("figure.seqreg-chart img.seqreg-svg")){` +
  `const d=document.createElement("div"),t=document.createElement("div"),m=new Map;` +
  `d.innerHTML=new TextDecoder().decode(Uint8Array.from(atob(i.src.split(",")[1]),c=>c.charCodeAt(0)));` +
  `const s=d.firstElementChild;i.replaceWith(d);` +
  `s.style.width="100%";s.style.maxWidth=s.getAttribute("width")*1.25+"px";` +
  `for(const n of s.querySelectorAll("title")){if(n.parentNode!==s)m.set(n.parentNode,n.textContent);n.remove()}` +
  `if(!m.size)continue;` +
  `d.style.position="relative";t.className="seqreg-tip";` +
  `t.style.cssText="position:absolute;display:none;pointer-events:none;z-index:9;max-width:300px;padding:4px 8px;` +
  `border:1px solid #888;border-radius:3px;background:#222;color:#fff;font:12px/1.4 sans-serif;` +
  `white-space:pre-wrap;overflow-wrap:anywhere";d.append(t);` +
  `let o;const show=(n,e)=>{if(o!==n){if(o)o.style.stroke=o.style.strokeWidth="";o=n;` +
  `if(n){n.style.stroke="currentColor";n.style.strokeWidth="2px";t.textContent=m.get(n)}}` +
  `t.style.display=n?"block":"none";if(!n)return;` +
  `const b=d.getBoundingClientRect(),x=e.clientX-b.left,y=e.clientY-b.top,w=t.offsetWidth,h=t.offsetHeight;` +
  `t.style.left=Math.max(0,x+w+14>b.width?x-w-10:x+14)+"px";t.style.top=(y+h+14>b.height?Math.max(0,y-h-8):y+14)+"px"};` +
  `d.onpointermove=d.onpointerdown=e=>{let n=m.has(e.target)?e.target:null,l=20;if(!n)for(const k of m.keys()){` +
  `const r=k.getBoundingClientRect();if(k.localName==="path"&&Math.max(r.width,r.height)>30)continue;` +
  `const q=Math.hypot(Math.max(r.left-e.clientX,0,e.clientX-r.right),Math.max(r.top-e.clientY,0,e.clientY-r.bottom));` +
  `if(q<l){l=q;n=k}}show(n,e)};d.onpointerleave=()=>show(null)}})()`;

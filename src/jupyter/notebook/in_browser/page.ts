/** The members of a browser's page that a table uses: the type checker of a kernel knows no page. */

/** A key or pointer as the page reports it. */
export interface PageEvent {
  readonly key: string;
  readonly target: PageElement;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly deltaX: number;
  readonly deltaY: number;
  readonly offsetX: number;
  readonly clientX: number;
  readonly pointerId: number;
  preventDefault(): void;
  stopPropagation(): void;
}

export interface PageElement {
  readonly ownerDocument: PageDocument;
  readonly localName: string;
  readonly isConnected: boolean;
  readonly parentElement: PageElement | null;
  readonly childNodes: ArrayLike<PageElement> & Iterable<PageElement>;
  readonly firstChild: PageElement | null;
  readonly clientWidth: number;
  scrollTop: number;
  scrollLeft: number;
  placeholder: string;
  readonly style: { cssText: string } & Record<string, string>;
  textContent: string | null;
  title: string;
  className: string;
  hidden: boolean;
  tabIndex: number;
  type: string;
  value: string;
  checked: boolean;
  disabled: boolean;
  download: string;
  href: string;
  width: number;
  height: number;
  append(...parts: readonly (PageElement | string)[]): void;
  replaceChildren(...parts: readonly PageElement[]): void;
  after(part: PageElement): void;
  before(part: PageElement): void;
  remove(): void;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  closest(selector: string): PageElement | null;
  matches(selector: string): boolean;
  contains(other: PageElement | null): boolean;
  focus(): void;
  click(): void;
  select(): void;
  setPointerCapture(pointer: number): void;
  addEventListener(
    type: string,
    listener: (event: PageEvent) => void,
    options?: { readonly passive: boolean },
  ): void;
  getContext(kind: "2d"): Paper;
}

/** What a canvas is painted on. */
export interface Paper {
  fillStyle: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  clearRect(x: number, y: number, width: number, height: number): void;
}

export interface PageDocument {
  readonly body: PageElement;
  readonly activeElement: PageElement | null;
  readonly defaultView: PageWindow | null;
  createElement(name: string): PageElement;
  execCommand(name: string): boolean;
}

export interface PageWindow {
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } };
  addEventListener(type: string, listener: (event: PageEvent) => void, capture: boolean): void;
  removeEventListener(type: string, listener: (event: PageEvent) => void, capture: boolean): void;
  getComputedStyle(element: PageElement): { readonly color: string; readonly backgroundColor: string };
}

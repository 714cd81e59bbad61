/** A click on a picture of the gallery copies the code below it. */
export function copyByClick() {
  globalThis.document?.addEventListener("click", ({ target }) => {
    let block = target.closest?.(".figure.copies");
    while (block && !block.querySelector("button.copy")) block = block.nextElementSibling;
    block?.querySelector("button.copy").click();
  });
}

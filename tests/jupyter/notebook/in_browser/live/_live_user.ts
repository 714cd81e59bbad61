/** A person with a live table, in a page without a browser: the code that the extension ships, over a real table. */
import { assert } from "@std/assert";
import { parseHTML } from "linkedom";
import type { LiveAnswer, LiveChannel } from "../../../../../src/jupyter/notebook/in_browser/live/channel.ts";
import type { PageElement } from "../../../../../src/jupyter/notebook/in_browser/page.ts";
import { readQuestion } from "../../../../../src/jupyter/live/live_question.ts";
import { LiveTable } from "../../../../../src/jupyter/live/live_table.ts";
import { liveCode } from "../../../../../src/jupyter/notebook/live/lab_extension.ts";

interface TestElement extends PageElement {
  readonly textContent: string;
  querySelector(selector: string): TestElement | null;
  querySelectorAll(selector: string): Iterable<TestElement>;
  dispatchEvent(event: Event): void;
}

/** What a person does, and sees. */
export class LiveUser {
  readonly root: TestElement;
  readonly channel: LiveChannel;
  /** What was asked, and what the kernel was told. */
  readonly asked: LiveAnswer[] = [];
  readonly told: LiveAnswer[] = [];
  /** Answers in place of the table's. */
  answerNext: LiveAnswer | undefined;
  /** What came into the clipboard. */
  copied: string | undefined;
  readonly #event: (type: string, init: object) => Event;

  constructor(table: LiveTable, { state = {}, height = 5, note = "" }: {
    readonly state?: LiveAnswer;
    readonly height?: number;
    readonly note?: string;
  } = {}) {
    const window = parseHTML(
      `<html><body><div data-seqreg-live="saved" data-view="v"><p>the first rows</p></div></body></html>`,
    );
    const document: TestElement = Reflect.get(window, "document");
    Object.defineProperty(document, "defaultView", { value: null });
    const paper = { fillStyle: "", fillRect: () => {}, clearRect: () => {} };
    const canvas: object = Object.getPrototypeOf(Reflect.get(document, "createElement").call(document, "canvas"));
    Object.defineProperty(canvas, "getContext", { value: () => paper, configurable: true });
    this.root = document.querySelector("[data-view]")!;
    const area: object = Object.getPrototypeOf(Reflect.get(document, "createElement").call(document, "textarea"));
    Object.defineProperty(area, "select", { value: () => {}, configurable: true });
    Object.defineProperty(document, "execCommand", {
      value: () => {
        this.copied = document.querySelector("textarea")?.value;
        return true;
      },
    });
    this.#event = (type, init) => Object.assign(new window.Event(type, { bubbles: true }), init);
    const { startLive, openChannel } = new Function(`${liveCode()}\nreturn { startLive, openChannel }`)();
    const channel: LiveChannel = openChannel((message: LiveAnswer) => {
      if (message.op === "state") return void this.told.push(message);
      this.asked.push(message);
      const instead = this.answerNext;
      this.answerNext = undefined;
      (async () => {
        if (instead !== undefined) return instead;
        return await table.answer(readQuestion(message.question, table.columns));
      })().then(
        (answer) => channel.hear({ id: message.id, ...JSON.parse(JSON.stringify(answer)) }),
        (cause) => channel.hear({ id: message.id, error: String(cause) }),
      );
    });
    this.channel = channel;
    const facts = { title: "records", note, count: table.count, height, columns: table.columns };
    startLive(this.root, facts, state, channel);
  }

  get status(): string {
    return this.root.querySelector("[role=status]")?.textContent ?? "";
  }

  /** Texts of the rows in sight. */
  get rows(): string[][] {
    return [...this.root.querySelectorAll("[role=row][data-row]")].map((row) =>
      [...row.querySelectorAll("[role=gridcell]")].map(({ textContent }) => textContent)
    );
  }

  get numbers(): number[] {
    return [...this.root.querySelectorAll("[role=row][data-row]")].map((row) => Number(row.getAttribute("data-row")));
  }

  labelled(label: string): TestElement {
    const found = this.root.querySelector(`[aria-label="${label}"]`);
    assert(found !== null, `nothing is labelled ${label}`);
    return found;
  }

  press(text: string): void {
    const found = [...this.root.querySelectorAll("button")].find((button) => button.textContent.trim() === text);
    assert(found !== undefined, `no button says ${text}`);
    found.click();
  }

  sort(column: string): void {
    const head = this.root.querySelector(`[role=columnheader][data-column="${column}"]`);
    assert(head !== null);
    head.querySelector("button")?.click();
  }

  write(label: string, value: string): void {
    const field = this.labelled(label);
    field.value = value;
    field.dispatchEvent(this.#event("change", {}));
  }

  key(key: string, init: object = {}): void {
    const stop = this.root.querySelector("[role=grid] [tabindex='0']");
    assert(stop !== null, "the grid has no stop of Tab");
    const keys = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    stop.dispatchEvent(this.#event("keydown", { ...keys, ...init }));
  }

  fire(element: TestElement, type: string, init: object = {}): void {
    element.dispatchEvent(this.#event(type, init));
  }

  /** Draws with the mouse on an element. */
  draw(element: TestElement, from: object, to: object): void {
    Object.defineProperty(element, "setPointerCapture", { value: () => {}, configurable: true });
    this.fire(element, "pointerdown", { pointerId: 1, ...from });
    this.fire(element, "pointermove", to);
    this.fire(element, "pointerup");
  }

  /** Waits until what is shown is as expected. */
  async until(isIt: () => boolean, what: string): Promise<void> {
    const late = Date.now() + 20_000;
    while (!isIt()) {
      assert(Date.now() < late, `${what}; there is: ${this.status} ${JSON.stringify(this.rows)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Waits until every cell in sight is there and nothing is asked for. */
  async settled(): Promise<void> {
    await this.until(
      () =>
        this.root.querySelector("[role=grid]")?.getAttribute("aria-busy") === "false" && !this.status.includes("…") &&
        this.root.querySelector("[data-asking], [data-counting]") === null,
      "the rows did not come",
    );
  }
}

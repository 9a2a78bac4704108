import { GoneError, RefusedError } from "./control-api.js";
import { find, setText } from "./elements.js";

const notice = find("notice", HTMLElement);
const text = find("notice-text", HTMLElement);
find("notice-close", HTMLButtonElement).addEventListener("click", () => hideNotice());

function hideNotice() {
  notice.hidden = true;
  setText(text, "");
}

/**
 * Shows a refusal of the control API, in its words.
 * @param {unknown} error
 */
export function showError(error) {
  // The top of the page says that nobody answers, until somebody does.
  if (error instanceof GoneError) return;
  if (!(error instanceof RefusedError)) return reportError(error);
  setText(text, error.message);
  notice.hidden = false;
}

/**
 * Does what a person asked for, and clears an earlier notice.
 * @param {() => Promise<void>} work
 */
export async function attempt(work) {
  hideNotice();
  await work().catch(showError);
}

/** @param {HTMLElement} button @param {() => Promise<void>} work */
export function onPress(button, work) {
  button.addEventListener("click", () => attempt(work));
}

/** @param {HTMLFormElement} form @param {() => Promise<void>} work */
export function onSubmit(form, work) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(work);
  });
}

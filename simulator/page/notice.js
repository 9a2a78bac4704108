import { DoorError, GoneError } from "./door.js";
import { find, setText } from "./elements.js";

const notice = find("notice", HTMLElement);
const text = find("notice-text", HTMLElement);
find("notice-close", HTMLButtonElement).addEventListener("click", () => hideNotice());

function hideNotice() {
  notice.hidden = true;
  setText(text, "");
}

/**
 * Shows what the door refuses, in its words.
 * @param {unknown} error
 */
export function showError(error) {
  // That nobody answers is said at the top of the page, until somebody does.
  if (error instanceof GoneError) return;
  if (!(error instanceof DoorError)) return reportError(error);
  setText(text, error.message);
  notice.hidden = false;
}

/**
 * Does what a person asked for; what was wrong before is settled by that.
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

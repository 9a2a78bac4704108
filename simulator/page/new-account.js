import { RefusedError, send } from "./control-api.js";
import { find, setText } from "./elements.js";
import { onPress, showError } from "./notice.js";

const question = find("account-question", HTMLDialogElement);
const form = find("account-form", HTMLFormElement);
const name = find("account-name", HTMLInputElement);
const balance = find("account-balance", HTMLInputElement);
const refused = find("account-refused", HTMLElement);

onPress(find("new-account", HTMLButtonElement), async () => {
  form.reset();
  refused.hidden = true;
  question.showModal();
});
onPress(find("account-no", HTMLButtonElement), async () => question.close());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  open().catch(tell);
});

async function open() {
  await send("POST", "/accounts", {
    name: name.value,
    ...(balance.value === "" ? {} : { balance: balance.value }),
  });
  question.close();
  location.hash = name.value;
}

/** Here, and not as a notice: that would stand behind the question. @param {unknown} error */
function tell(error) {
  if (!(error instanceof RefusedError)) return showError(error);
  setText(refused, error.message);
  refused.hidden = false;
}

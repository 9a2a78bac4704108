import { accountPath, send } from "./door.js";
import { find } from "./elements.js";
import { onSubmit } from "./notice.js";

/** A payment, in or out, to what the balance shall be. @param {() => string} chosenAccount */
export function offerPayment(chosenAccount) {
  const form = find("set-balance", HTMLFormElement);
  const amount = find("new-balance", HTMLInputElement);
  onSubmit(form, async () => {
    await send("PUT", accountPath(chosenAccount(), "/balance"), { balance: amount.value });
    form.reset();
  });
}

import { accountPath, send } from "./control-api.js";
import { find } from "./elements.js";
import { onSubmit } from "./notice.js";

/** Pays in or out, so that the balance becomes this. @param {() => string} chosenAccount */
export function offerPayment(chosenAccount) {
  const form = find("set-balance", HTMLFormElement);
  const amount = find("new-balance", HTMLInputElement);
  onSubmit(form, async () => {
    await send("PUT", accountPath(chosenAccount(), "/balance"), { balance: amount.value });
    form.reset();
  });
}

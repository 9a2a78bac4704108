import type { Found } from "./findings.ts";
import { answersOf, type RawCaller } from "./raw-calls.ts";

/** Whether the balance is the one that calculations tell. Automatic extension may charge between two calls. */
export async function compareBalances(calls: RawCaller): Promise<Found> {
  const about = "balance";
  const calculated = [
    ...answersOf(calls.exchanges, "calculateOrder"),
    ...answersOf(calls.exchanges, "calculateExtension"),
  ].at(-1);
  if (calculated === undefined) {
    const text = "No calculation was answered whose balance could be compared.";
    return { about, mark: "notAsked", text };
  }
  await calls.ask("getBalance");
  const { balance, currency } = calculated;
  const told = answersOf(calls.exchanges, "getBalance");
  if (told.some((own) => own.balance === balance && own.currency === currency)) {
    return { about, mark: "well", text: "The balance is the one that calculations tell." };
  }
  return {
    about,
    mark: "look",
    text: `Calculations tell a balance of ${balance} ${currency}, and the account's is ${told.map((own) => `${own.balance} ${own.currency}`).at(-1)}.`,
    todo: "Run doctor again when nothing is bought or extended. If it stays so, the provider's check of what was charged can't be relied on.",
  };
}

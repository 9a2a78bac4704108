import type { AccountSettings } from "../../provider/core/account.ts";
import { readSettings } from "../../provider/host/settings.ts";

/** The settings of an account when the user has set only the required ones. */
export const usualSettings: AccountSettings = readUsual();

function readUsual(): AccountSettings {
  const environment = {
    PROXYRENTAL_BASE_URL: "http://service.test",
    PROXYRENTAL_API_KEY: "left out below",
  };
  const read = readSettings({ config: () => undefined, environment });
  const { baseUrl: _url, apiKey: _key, journalDir: _folder, ...usual } = read;
  return usual;
}

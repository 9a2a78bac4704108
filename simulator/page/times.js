import { element } from "./elements.js";

const dayMs = 86_400_000;

/** The door's timestamps are UTC throughout. @param {string} at */
export function formatMinute(at) {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

/** @param {string} at */
export function formatSecond(at) {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

/** Cut, not rounded: what says 3.0 has three days. @param {string} endsAt @param {string} now */
export function countDaysLeft(endsAt, now) {
  return Math.floor(((Date.parse(endsAt) - Date.parse(now)) / dayMs) * 10) / 10;
}

/** Date and time, which stand one below the other where room is scarce. @param {string} formatted */
export function makeTimeCell(formatted) {
  const parts = formatted.split(" ").flatMap((part) => [element("span", {}, part), " "]);
  return element("td", { className: "time" }, ...parts);
}

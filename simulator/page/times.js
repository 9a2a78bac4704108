import { element } from "./elements.js";

const dayMs = 86_400_000;

/** All timestamps of the control API are UTC. @param {string} at */
export function formatMinute(at) {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

/** @param {string} at */
export function formatSecond(at) {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

/** The time of a day. @param {string} at */
export function formatTime(at) {
  return at.slice(11, 19);
}

/** Cut, not rounded: 3.0 means at least three days. @param {string} endsAt @param {string} now */
export function countDaysLeft(endsAt, now) {
  return Math.floor(((Date.parse(endsAt) - Date.parse(now)) / dayMs) * 10) / 10;
}

/** Date and time, which go below each other if there is little room. @param {string} formatted */
export function makeTimeCell(formatted) {
  const parts = formatted.split(" ").flatMap((part) => [element("span", {}, part), " "]);
  return element("td", { className: "time" }, ...parts);
}

/**
 * @template Item
 * @typedef {{ element: Element, update(item: Item): void }} Row
 */

/**
 * A list on the page. A row stays the same element as long as its item stays, so that focus, selection and opened
 * rows survive a refresh.
 * @template Item
 * @param {Element} container
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => Row<Item>} makeRow
 * @returns {(items: readonly Item[]) => void}
 */
export function keepRows(container, keyOf, makeRow) {
  /** @type {Map<string, Row<Item>>} */
  let rows = new Map();
  return (items) => {
    const kept = new Map(
      items.map((item) => {
        const row = rows.get(keyOf(item)) ?? makeRow(item);
        row.update(item);
        return [keyOf(item), row];
      }),
    );
    for (const [key, { element }] of rows) if (!kept.has(key)) element.remove();
    let next = [...rows.values()].find(({ element }) => element.isConnected)?.element ?? null;
    for (const { element } of kept.values()) {
      if (element === next) next = next.nextElementSibling;
      else container.insertBefore(element, next);
    }
    rows = kept;
  };
}

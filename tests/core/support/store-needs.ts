/** What a journal needs of its store, in the order in which a probe looks. */
export const storeNeeds: readonly string[] = [
  "a document is read and listed as soon as it is written",
  "a document keeps every letter",
  "a document is not made where there is one",
  "a document is replaced by whoever knows its newest version, and by nobody else",
  "a document is removed by whoever knows its newest version, and by nobody else",
  "of 16 that make a document at once, one does",
  "of 16 that replace a document at once, one does",
  "every answer tells the store's clock, which goes forward",
];

/** Turns a service's message, "the form is too old", into a sentence of a page. */
export function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase();
  return `${first}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}

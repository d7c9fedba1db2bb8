/** Words of a service, "the form is too old", as a sentence of a page. */
export function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase();
  return `${first}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}

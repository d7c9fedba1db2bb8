import { aiNameToSlug, checkHandle, numberSlug } from '@hearth/addresses';

/** What the slug of a name is of which no letter is left. */
const nothingLeft = 'ai';

/** The handle that a group of that name would like to have: "Book club" is book-club. */
export function handleFor(name: string): string {
  const slug = aiNameToSlug(name);
  if (slug === nothingLeft) return 'group';
  if (checkHandle(slug) === null) return slug;
  // Too short, or reserved.
  return numberless(`group-${slug}`);
}

/** The same with a number behind it, for the next group of that name. */
export function numberedHandle(handle: string, number: number): string {
  return numberSlug(handle, number);
}

function numberless(handle: string): string {
  return handle.slice(0, 30).replace(/-+$/, '');
}

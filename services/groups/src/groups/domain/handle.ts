import { aiNameToSlug, checkHandle, numberSlug } from '@hearth/addresses';

/** The slug of a name that has no letters. */
const nothingLeft = 'ai';

/** The preferred handle for a name: "Book club" becomes book-club. */
export function handleFor(name: string): string {
  const slug = aiNameToSlug(name);
  if (slug === nothingLeft) return 'group';
  if (checkHandle(slug) === null) return slug;
  // Too short, or reserved.
  return numberless(`group-${slug}`);
}

/** The handle with a number appended, for the next group of the same name. */
export function numberedHandle(handle: string, number: number): string {
  return numberSlug(handle, number);
}

function numberless(handle: string): string {
  return handle.slice(0, 30).replace(/-+$/, '');
}

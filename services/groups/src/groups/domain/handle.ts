import { aiNameToSlug, checkHandle, numberSlug } from '@hearth/addresses';

/** The slug of a name without letters. */
const nothingLeft = 'ai';

/** The first choice of a handle for that name: "Book club" is book-club. */
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

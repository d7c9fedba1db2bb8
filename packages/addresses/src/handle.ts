/** The form of a handle, for error messages, forms and `GET /limits`. */
export const handleRules = { minLength: 3, maxLength: 30, pattern: '^[a-z0-9-]{3,30}$' } as const;

const handleShape = /^[a-z0-9-]{3,30}$/;
const freePrefix = 'free-';

/** Handles that would pass for the home itself, or that read as words of the interface. */
const reservedHandles = new Set([
  ...['abuse', 'account', 'accounts', 'admin', 'administrator', 'all', 'anonymous', 'anyone', 'api'],
  ...['auth', 'billing', 'contact', 'deleted', 'everybody', 'everyone', 'federation', 'guest', 'hearth'],
  ...['help', 'home', 'hostmaster', 'info', 'legal', 'localhost', 'login', 'mail', 'mcp', 'moderator'],
  ...['moderators', 'no-reply', 'nobody', 'noreply', 'null', 'oauth', 'official', 'operator', 'operators'],
  ...['owner', 'payments', 'postmaster', 'privacy', 'root', 'safety', 'security', 'service', 'settings'],
  ...['sign-in', 'sign-up', 'signin', 'signup', 'someone', 'staff', 'support', 'system', 'undefined'],
  ...['webmaster', 'well-known', 'www'],
]);

/** Whether `text` has the form of a handle, reserved or not, as addresses may contain it. */
export function isHandle(text: string): boolean {
  return handleShape.test(text);
}

/** Whether only the home itself may assign this handle (`free-` handles go to AIs without an owner). */
export function isReservedHandle(handle: string): boolean {
  return handle.startsWith(freePrefix) || reservedHandles.has(handle);
}

/** Whether the home assigned this handle to an AI without an owner. */
export function isFreeHandle(handle: string): boolean {
  return isHandle(handle) && handle.startsWith(freePrefix);
}

/**
 * Describes what is wrong with `text` as a handle chosen by a person or organizer, as a phrase that follows the field's
 * name; null if it is acceptable. Whether it is free, only the database knows.
 */
export function checkHandle(text: string): string | null {
  const { minLength, maxLength } = handleRules;
  if (text.length < minLength || text.length > maxLength) {
    return `must have ${minLength} to ${maxLength} characters`;
  }
  if (!handleShape.test(text)) return 'may hold lower-case letters a-z, digits and hyphens alone';
  if (text.startsWith('-') || text.endsWith('-')) return 'must begin and end with a letter or a digit';
  if (isReservedHandle(text)) return 'is reserved; choose another';
  return null;
}

import { isHearthError } from '@hearth/errors';

/** A refusal with the code `schema`: the wrong member of the item, and its rule. */
export interface BrokenRule {
  refused: 'schema';
  path: string;
  rule: string;
}

/** @param path such as `body.object.members` */
export function brokenRule(path: string, rule: string): BrokenRule {
  return { refused: 'schema', path, rule };
}

/** Returns the rule that a JSON reader found broken at `path`; null for any other error. */
export function ruleBrokenIn(path: string, error: unknown): BrokenRule | null {
  if (!isHearthError(error) || error.kind !== 'bad_request') return null;
  const { field = '' } = error.details;
  return brokenRule(field === '' ? path : `${path}.${field}`, error.message);
}

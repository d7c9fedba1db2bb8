import { isHearthError } from '@hearth/errors';

/** A refusal with the code `schema`: the member of the item that is wrong, and what it must be. */
export interface BrokenRule {
  refused: 'schema';
  path: string;
  rule: string;
}

/** @param path as `body.object.members` */
export function brokenRule(path: string, rule: string): BrokenRule {
  return { refused: 'schema', path, rule };
}

/** The rule that a reader of JSON found broken in what stands at `path`; null for any other error. */
export function ruleBrokenIn(path: string, error: unknown): BrokenRule | null {
  if (!isHearthError(error) || error.kind !== 'bad_request') return null;
  const { field = '' } = error.details;
  return brokenRule(field === '' ? path : `${path}.${field}`, error.message);
}

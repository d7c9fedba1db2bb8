import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';

/**
 * The ask (uuid) whose parts make up a waiting item, and the recipients' positions. @throws not_found for an
 * empty list
 */
export function itemOf(keys: readonly ItemKey[]): { id: string; positions: number[] } {
  const [first] = keys;
  if (first === undefined) throw notFound();
  return { id: first.id, positions: keys.map(({ part }) => part) };
}

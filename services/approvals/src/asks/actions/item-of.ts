import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';

/** The ask (uuid) that these parts of one item are, and the positions of the recipients. @throws not_found for no part */
export function itemOf(keys: readonly ItemKey[]): { id: string; positions: number[] } {
  const [first] = keys;
  if (first === undefined) throw notFound();
  return { id: first.id, positions: keys.map(({ part }) => part) };
}

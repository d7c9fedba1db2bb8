import { HomeItemType } from '@hearth/proto/events/v1/events';

/** Item types, as in JSON. `skip` is the log's own. */
export const itemTypes = {
  message: HomeItemType.MESSAGE,
  state: HomeItemType.STATE,
  act: HomeItemType.ACT,
  result: HomeItemType.RESULT,
  erased: HomeItemType.ERASED,
  notice: HomeItemType.NOTICE,
} as const;

export type ItemType = keyof typeof itemTypes | 'skip';

const names = new Map(Object.entries(itemTypes).map(([name, number]) => [number, name as ItemType]));

export function typeName(type: HomeItemType): ItemType {
  return names.get(type as (typeof itemTypes)[keyof typeof itemTypes]) ?? 'skip';
}

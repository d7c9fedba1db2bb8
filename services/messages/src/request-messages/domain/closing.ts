import type { ItemsChange } from '@hearth/items';
import { itemKey } from '../../shared/domain/items.ts';

export const closing = (rows: readonly { id: string }[]): ItemsChange => ({ closed: rows.map(itemKey) });

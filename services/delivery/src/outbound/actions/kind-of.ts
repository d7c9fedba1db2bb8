import { internal } from '@hearth/errors';
import type { DestinationKind } from '../../shared/db/destinations.ts';
import type { Context } from '../context.ts';
import type { NamedKind } from '../db/shown-sends.ts';

export function kindOf({ kinds }: Pick<Context, 'kinds'>, name: DestinationKind): NamedKind {
  const kind = kinds.find((declared) => declared.name === name);
  if (kind === undefined) throw internal(`nothing is sent of the kind ${name}`);
  return kind;
}

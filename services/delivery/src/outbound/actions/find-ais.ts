import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { Call } from '@hearth/rpc';
import { factsById } from '../../shared/actions/facts-by-id.ts';
import type { Context } from '../context.ts';

/** Returns the AIs among these uuids. */
export async function findAis(
  { ais }: Pick<Context, 'ais'>,
  ids: readonly string[],
  call: Call,
): Promise<Map<string, AiFacts>> {
  return await factsById(ids, (asked) => ais.findAis({ ids: asked }, { call }));
}

import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Those of these uuids that are AIs. */
export async function findAis(
  { ais }: Pick<Context, 'ais'>,
  ids: readonly string[],
  call: Call,
): Promise<Map<string, AiFacts>> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Map();
  const { results } = await ais.findAis({ ids: asked }, { call });
  return new Map(results.flatMap(({ facts }) => (facts === undefined ? [] : [[facts.id, facts]])));
}

import { createFactCache, type FactCacheOptions } from '@hearth/cache/facts';
import { second } from '@hearth/clock';
import type { AiFacts, AisService } from '@hearth/proto/identity/v1/ais';
import { anonymous, type Client } from '@hearth/rpc';

/** Looks up local AIs by uuid. Cached for 30 seconds, invalidated when an AI changes. */
export type KnownAis = (ids: readonly string[]) => Promise<Map<string, AiFacts>>;

export function createKnownAis(
  { bus, clock }: Pick<FactCacheOptions<AiFacts>, 'bus' | 'clock'>,
  ais: Pick<Client<typeof AisService>, 'findAis'>,
): KnownAis {
  const known = createFactCache<AiFacts>({
    bus,
    clock,
    signals: ['credentials'],
    max: 10_000,
    keptMs: 30 * second,
  });
  return async (ids) => {
    const found = new Map(ids.map((id) => [id, known.get(id)]));
    const asked = [...found].flatMap(([id, facts]) => (facts === undefined ? id : []));
    if (asked.length > 0) {
      const keep = known.keeper();
      const { results } = await ais.findAis({ ids: asked }, { caller: anonymous });
      for (const { facts } of results) {
        if (facts === undefined) continue;
        found.set(facts.id, facts);
        keep(facts.id, facts);
      }
    }
    return new Map([...found].flatMap(([id, facts]) => (facts === undefined ? [] : [[id, facts]])));
  };
}

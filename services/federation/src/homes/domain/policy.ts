import { homesAbove } from '@hearth/addresses';
import { HomePolicy } from '@hearth/proto/federation/v1/homes';

/** HEARTH_FEDERATION: the homes that this one talks with. */
export type Mode = 'open' | 'allowlist' | 'off';

/** The operator's word about one home. `limited`: it is talked with, and people there count as strangers. */
export type Policy = 'open' | 'limited' | 'blocked';

const shown = {
  open: HomePolicy.ALLOWED,
  limited: HomePolicy.LIMITED,
  blocked: HomePolicy.DENIED,
} as const;

/** The policy as the API names it; null where the operator said nothing. */
export function policyShown(policy: Policy | null): HomePolicy {
  return policy === null ? HomePolicy.UNSET : shown[policy];
}

/** The policy that a request names. */
export function policySaid(mode: HomePolicy): Policy | null {
  return (Object.keys(shown) as Policy[]).find((policy) => shown[policy] === mode) ?? null;
}

/** The policy that holds: where the operator said nothing of a home, the mode speaks. */
export function policyFor(mode: Mode, said: Policy | null): Policy {
  if (mode === 'off') return 'blocked';
  return said ?? (mode === 'open' ? 'open' : 'blocked');
}

/**
 * The operator's word that counts for a home: its own, or else that of the nearest domain above it, where it limits or blocks.
 *
 * @param said the operator's words by the name of the home
 */
export function nearestWord(home: string, said: ReadonlyMap<string, Policy | null>): Policy | null {
  const own = said.get(home) ?? null;
  if (own !== null) return own;
  const [, ...above] = homesAbove(home);
  return above.map((one) => said.get(one)).find((word) => word === 'blocked' || word === 'limited') ?? null;
}

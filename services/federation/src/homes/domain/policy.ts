import { homesAbove } from '@hearth/addresses';
import { HomePolicy } from '@hearth/proto/federation/v1/homes';

/** HEARTH_FEDERATION: which homes this home talks with. */
export type Mode = 'open' | 'allowlist' | 'off';

/** The operator's policy for a home. `limited`: its people count as strangers. */
export type Policy = 'open' | 'limited' | 'blocked';

const shown = {
  open: HomePolicy.ALLOWED,
  limited: HomePolicy.LIMITED,
  blocked: HomePolicy.DENIED,
} as const;

/** Returns the policy as the API names it; null means that the operator did not decide. */
export function policyShown(policy: Policy | null): HomePolicy {
  return policy === null ? HomePolicy.UNSET : shown[policy];
}

/** Returns the policy named by a request. */
export function policySaid(mode: HomePolicy): Policy | null {
  return (Object.keys(shown) as Policy[]).find((policy) => shown[policy] === mode) ?? null;
}

/** Returns the effective policy: the operator's, or else the mode's default. */
export function policyFor(mode: Mode, said: Policy | null): Policy {
  if (mode === 'off') return 'blocked';
  return said ?? (mode === 'open' ? 'open' : 'blocked');
}

/**
 * Returns the operator's policy for a home: its own, or else that of the nearest domain above that limits or
 * blocks.
 *
 * @param said the operator's policies by home name
 */
export function nearestWord(home: string, said: ReadonlyMap<string, Policy | null>): Policy | null {
  const own = said.get(home) ?? null;
  if (own !== null) return own;
  const [, ...above] = homesAbove(home);
  return (
    above.map((domain) => said.get(domain)).find((word) => word === 'blocked' || word === 'limited') ?? null
  );
}

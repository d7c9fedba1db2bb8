/** HEARTH_FEDERATION: the homes that this one talks with. */
export type Mode = 'open' | 'allowlist' | 'off';

/** The operator's word about one home. `limited`: it is talked with, and people there count as strangers. */
export type Policy = 'open' | 'limited' | 'blocked';

/** The policy that holds: where the operator said nothing of a home, the mode speaks. */
export function policyFor(mode: Mode, said: Policy | null): Policy {
  if (mode === 'off') return 'blocked';
  return said ?? (mode === 'open' ? 'open' : 'blocked');
}

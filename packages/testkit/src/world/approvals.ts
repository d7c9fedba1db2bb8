import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { type Fake, fake } from '../fake-peers.ts';
import type { Registry } from './world.ts';

export function approvalsFakes({ reach, accepts }: Registry): Fake[] {
  return [
    fake(RequestRulesService, {
      checkReach: async ({ reaches }) => ({
        reached: reaches.map(({ recipient }) => reach.get(recipient) ?? { how: 'inbox' }),
      }),
      findAccepted: async ({ people }) => ({
        results: people.map((person) => ({ kinds: accepts.get(person) ?? [] })),
      }),
    }),
  ];
}

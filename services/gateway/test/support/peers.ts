import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { CallerKind, Scope } from '@hearth/proto/options';
import { type Caller, createPushable, type Handlers } from '@hearth/rpc';
import { digestOf } from '../../src/credentials/module.ts';

/**
 * Callers by key; for an app that acts for a person or AI, by `<key> <id in Svc-Acting-For>`. A string is
 * identity's reason for refusing.
 */
export type Keys = Record<string, Partial<Caller> | string>;

export const aiId = '01900000-0000-7000-8000-000000000001';

/** An AI without an owner, like most callers of the tests. */
export const anAi: Partial<Caller> = {
  kind: CallerKind.AI,
  id: aiId,
  address: '@free-abc123.ai-robin',
  name: 'Robin',
  aiStatus: AiStatus.UNCLAIMED,
  scopes: [Scope.READ, Scope.MESSAGE],
  via: Via.API,
};

export function resolveFrom(keys: Keys): Partial<Handlers<typeof IdentityService>> {
  const callers = new Map(
    Object.entries(keys).map(([name, caller]) => {
      const [key = '', actingFor = ''] = name.split(' ');
      return [`${digestOf(key)} ${actingFor}`, caller];
    }),
  );
  return {
    resolveCredential: async ({ hash, actingFor }) => {
      const caller = callers.get(`${Buffer.from(hash).toString('base64')} ${actingFor}`);
      if (typeof caller === 'string') return { refusal: caller };
      return caller === undefined ? {} : { caller: caller as Caller };
    },
    noteSeen: async () => ({}),
  };
}

/** Delivery's stream of wakes; `wake` wakes topics like delivery does. */
export function createWakes() {
  const streams = new Set<ReturnType<typeof createPushable<{ acknowledged: bigint; woken: string[] }>>>();
  const handlers: Partial<Handlers<typeof DeliveryService>> = {
    async *hold(requests) {
      const answers = createPushable<{ acknowledged: bigint; woken: string[] }>();
      streams.add(answers);
      const acknowledge = async () => {
        for await (const { sequence } of requests) answers.push({ acknowledged: sequence, woken: [] });
        answers.end();
      };
      void acknowledge();
      yield* answers;
    },
  };
  const wake = (...topics: string[]) => {
    for (const stream of streams) stream.push({ acknowledged: 0n, woken: topics });
  };
  return { handlers, wake };
}

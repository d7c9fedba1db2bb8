import { unavailable } from '@hearth/errors';
import { signUpAi } from '@hearth/identity/testing/ais';
import { failure } from '@hearth/identity/testing/start-identity';
import type { ResponseMetadata } from '@hearth/rpc';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
afterAll(() => home.stop());

describe('whoami', () => {
  test('shows identity, permissions and pending items', async () => {
    const ai = await signUpAi(home);
    home.neighbours.unread = { count: 3, oldest: { seconds: 1_772_000_000n, nanos: 0 } };
    const told: ResponseMetadata[] = [];
    const answer = await by(ai).whoami({}, { onMetadata: (response) => told.push(response) });
    expect(answer.waiting?.messages).toMatchObject({ count: 3, oldest: { seconds: 1_772_000_000n } });
    expect(told[0]).toMatchObject({
      validMs: 5_000,
      validTopics: [
        `whoami:${ai.uuid}`,
        `messages:${ai.uuid}`,
        `approvals:${ai.uuid}`,
        `decisions:${ai.uuid}`,
      ],
    });
  });

  test('lists the pending items', async () => {
    const ai = await signUpAi(home);
    home.neighbours.unread = { count: 0 };
    home.neighbours.asked = {
      approvals: 1,
      requests: 0,
      oldestApproval: { seconds: 1_772_000_000n, nanos: 0 },
    };
    const { waiting, next } = await by(ai).whoami({});
    expect(home.neighbours.countedFor).toEqual({ owner: ai.uuid, person: '' });
    expect(waiting).toMatchObject({
      approvals: { count: 1, oldest: { seconds: 1_772_000_000n } },
      requests: { count: 0 },
    });
    expect(next).toBe('1 approval waits for you: read with GET /v0/approvals.');
    home.neighbours.unread = { count: 1 };
    home.neighbours.asked = { approvals: 2, requests: 1 };
    const more = await by(ai).whoami({});
    expect(more.next).toBe(
      '2 approvals, 1 unread message and 1 request wait for you: read with GET /v0/approvals, ' +
        'GET /v0/messages?unread=true and GET /v0/requests.',
    );
    home.neighbours.asked = { approvals: 0, requests: 0 };
    home.neighbours.unread = { count: 0 };
  });

  test('fails when pending items cannot be counted', async () => {
    const ai = await signUpAi(home);
    home.neighbours.countError = unavailable('messages is not there');
    expect(await failure(by(ai).whoami({}))).toBe('unavailable unavailable');
    home.neighbours.countError = undefined;
  });
});

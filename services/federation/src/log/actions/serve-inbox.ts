import { keyedMutex } from '@hearth/coalesce';
import { isHearthError } from '@hearth/errors';
import { domainOf } from '../../shared/actions/domain-of.ts';
import type { Context } from '../context.ts';
import { HomeRefusal } from '../domain/home-answer.ts';
import type { CheckedRequest } from './check-request.ts';
import type { SigningHome } from './hand-over.ts';
import { PushRefused, readPush } from './push.ts';
import { takeItems } from './take-items.ts';

/** Returns what services need to know about a home besides its items. */
export async function standingOf(
  { firstContacts }: Pick<Context, 'firstContacts'>,
  home: string,
  limited: boolean,
  network: string | undefined,
): Promise<SigningHome> {
  const domain = await domainOf(home);
  return { home, domain, limited, firstContactsLeft: await firstContacts.left(domain, network) };
}

/** POST /inbox: accepts items, in order. */
export function createInbox(context: Context) {
  const mutex = keyedMutex();
  return async ({ origin, policy }: CheckedRequest, body: Uint8Array, network: string): Promise<object> => {
    const push = read(context, body, origin);
    const standing = await standingOf(context, origin, policy === 'limited', network);
    const { epoch, first, items } = push;
    const taken = await mutex
      .run(origin, () => takeItems(context, first, { origin, network, standing, epoch, seq: first, items }))
      .catch((error: unknown) => {
        if (!isHearthError(error) || error.kind !== 'unavailable') throw error;
        throw new HomeRefusal('unavailable', 'nothing can be stored now', { retryAfterSeconds: 5 });
      });
    if ('outOfStep' in taken) {
      throw new HomeRefusal('out_of_step', 'the log here stands elsewhere', { ...taken.outOfStep });
    }
    return { ...taken.position, results: taken.results };
  };
}

function read({ home, clock }: Context, body: Uint8Array, origin: string) {
  try {
    return readPush(body, { origin, home, now: clock.now() });
  } catch (error) {
    if (!(error instanceof PushRefused)) throw error;
    throw new HomeRefusal(error.code, error.message, error.index === undefined ? {} : { index: error.index });
  }
}

import { second } from '@hearth/clock';
import { HearthError, isHearthError } from '@hearth/errors';
import { type Card, CardSchema } from '@hearth/proto/identity/v1/resources';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Shorter than the caller's deadline, so that this call reports the timeout. */
const timeoutMs = 9 * second;

/** The card of a remote party, as its home signed it: with members unknown to this home, and without added defaults. */
export async function cardElsewhere(
  { homeQuestions, reader }: Pick<Context, 'homeQuestions' | 'reader'>,
  address: string,
  home: string,
  call: Call,
): Promise<Card> {
  const { json } = await homeQuestions
    .fetchHomeCard({ address }, { call, timeoutMs })
    .catch((error: unknown) => {
      if (isHearthError(error) && error.kind === 'deadline_exceeded')
        throw unreachable(home, 'it did not answer in time');
      throw error;
    });
  const card = readable(() => reader.readMessage(CardSchema, JSON.parse(json)));
  if (card === null) throw unreachable(home, 'it answered with a card that cannot be read');
  return { ...card, asCame: json };
}

function unreachable(home: string, why: string): HearthError {
  return new HearthError('unavailable', `${home} cannot be reached now: ${why}`, {
    code: 'home_unreachable',
  });
}

/** Null for an invalid value from another home. */
function readable<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    if (isHearthError(error) && error.kind === 'bad_request') return null;
    throw error;
  }
}

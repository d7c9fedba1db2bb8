import { second } from '@hearth/clock';
import { HearthError, isHearthError } from '@hearth/errors';
import { type Card, CardSchema } from '@hearth/proto/identity/v1/resources';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Below the deadline of the caller, so that the words are those of this call. */
const timeoutMs = 9 * second;

/** The card of a party of another home, as that home signed it: with what this home does not know, and without what it left out. */
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

/** Null for what another home wrote as it must not be. */
function readable<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    if (isHearthError(error) && error.kind === 'bad_request') return null;
    throw error;
  }
}

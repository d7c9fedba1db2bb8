import { create, toBinary } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { CarriedSchema } from '@hearth/proto/delivery/v1/delivery';
import { ListMessagesResponseSchema } from '@hearth/proto/messages/v1/messages';
import type { NewMessage, WrittenMessage } from '../../shared/db/insert-messages.ts';
import { isMarker } from '../../shared/domain/stored-address.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { asStored, sidesOf, toMessage } from './to-proto.ts';

/** Longer messages are not carried; their readers fetch them. */
const longestText = 4_096;

/**
 * The answer to a poll for unread messages, carried by the recipient's wake. It applies to a poll that begins
 * at the newest earlier message, or anywhere if there is none. Undefined if other messages arrived at once,
 * the recipient cannot read it yet, or readers see it differently.
 *
 * @param at no later than the commit
 */
export function carriedOf(
  { row, event }: NewMessage,
  { before, unread }: WrittenMessage,
  at: number,
): Uint8Array | undefined {
  const [topic] = event?.topics ?? [];
  if (before === undefined || row.holder !== null || topic !== mailboxTopic(row.recipient)) return undefined;
  if (row.body.length > longestText || row.data !== null || sidesOf(row).some(isMarker)) return undefined;
  const message = toMessage(row, row.recipient, asStored);
  const answer = create(ListMessagesResponseSchema, { messages: [message], unread });
  const carried = create(CarriedSchema, {
    since: before === null ? '' : printId('msg', before),
    answer: toBinary(ListMessagesResponseSchema, answer),
    caughtUpAfter: printId('msg', row.id),
    at: BigInt(at),
  });
  return toBinary(CarriedSchema, carried);
}

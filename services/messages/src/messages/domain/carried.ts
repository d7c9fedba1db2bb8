import { create, toBinary } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { CarriedSchema } from '@hearth/proto/delivery/v1/delivery';
import { ListMessagesResponseSchema } from '@hearth/proto/messages/v1/messages';
import type { NewMessage, WrittenMessage } from '../../shared/db/insert-messages.ts';
import { isMarker } from '../../shared/domain/stored-address.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { asStored, sidesOf, toMessage } from './to-proto.ts';

/** Longer messages are read by those who wait for them. */
const longestText = 4_096;

/**
 * The wake of a recipient carries the answer to a poll for the next unread messages that begins at the newest one before
 * this, or anywhere when there is none. Undefined where the message is not alone, is not theirs to read yet, or is
 * not shown to each reader alike.
 *
 * @param at not later than the commit
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

import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { type IdPrefix, printId } from '@hearth/ids';
import {
  FeedbackKindSchema,
  type FeedbackSchema,
  FeedbackStatusSchema,
} from '@hearth/proto/identity/v1/feedback';
import { CallerKindSchema } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { FeedbackRow } from '../db/feedback.ts';

export const kinds = enumNames(FeedbackKindSchema);
export const statuses = enumNames(FeedbackStatusSchema);

/** The caller's columns as a sender. */
export function senderOf({ kind, id }: Caller): Pick<FeedbackRow, 'byKind' | 'byId'> {
  return { byKind: enumNames(CallerKindSchema).nameOf(kind), byId: id };
}

const prefixes: Readonly<Record<string, IdPrefix>> = { ai: 'ai', person: 'per', app: 'app' };

/** Feedback as its sender sees it. */
export function toFeedback(row: FeedbackRow): MessageInitShape<typeof FeedbackSchema> {
  return {
    id: printId('fbk', row.id),
    status: statuses.valueOf(row.status),
    kind: kinds.valueOf(row.kind),
    title: row.title,
    text: row.text || undefined,
    about: row.about || undefined,
    answer: row.answer || undefined,
    at: timestampFromDate(row.at),
    answeredAt: row.answeredAt === null ? undefined : timestampFromDate(row.answeredAt),
  };
}

/**
 * Feedback as the operator sees it. The sender is an id, because the address of a child's AI can reveal the
 * child's handle.
 */
export function toOperator(row: FeedbackRow): MessageInitShape<typeof FeedbackSchema> {
  return { ...toFeedback(row), by: printId(prefixes[row.byKind] ?? 'per', row.byId) };
}

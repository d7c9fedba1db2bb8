import type { DescMethodUnary } from '@bufbuild/protobuf';
import { t } from '@hearth/i18n';
import type { JsonRecord } from '@hearth/proto-json';
import type { OperatorAct, OperatorPlace, Words } from '@hearth/web';

/** An operation that a row, or the list, offers as a form; the fields of the form have the names of the request's. */
export interface SectionAct extends Omit<OperatorAct, 'act' | 'id'> {
  method: DescMethodUnary;
  /** The field of the row that names the thing it is done to, where that is not the section's. */
  idField?: string;
  /** It is done to no row: the list offers it. */
  alone?: boolean;
  /** The row, as its operation answers it, offers this act; each does when not given. */
  offered?: (row: JsonRecord) => boolean;
  /**
   * The request: the row's id and the fields that were filled in, when not given.
   *
   * @param now milliseconds since 1970
   */
  request?: (id: string, fields: Readonly<Record<string, string>>, now: number) => JsonRecord;
  done: Words;
}

/** A part of a list, and the request that narrows the list to it. */
export interface View {
  /** Stands in the query as `show`. */
  show: string;
  words: Words;
  query?: JsonRecord;
}

/** A list of the operator's: the rows of an operation, each with the acts that it offers. */
export interface Section extends OperatorPlace {
  lead: Words;
  list: DescMethodUnary;
  /** The field of the answer that holds the rows. */
  rows: string;
  /** The request beside `limit` and `cursor`. */
  query?: JsonRecord;
  /** The field of a row that names it in requests: `id` when not given. */
  idField?: string;
  /** The parts of the list that can be shown alone; the first is shown when no other is asked for. */
  views?: readonly View[];
  titleOf: (row: JsonRecord) => string;
  acts?: Readonly<Record<string, SectionAct>>;
  /** For the overview: the rows that wait for the operator, their name in the catalogue, and the request that narrows the list to them. */
  waits?: {
    words: 'new' | 'open' | 'problems' | 'stopped';
    query?: JsonRecord;
    is?: (row: JsonRecord) => boolean;
    urgent?: (row: JsonRecord) => boolean;
  };
}

/** The view of a list that leaves nothing out. */
export const whole: View = { show: 'all', words: t('operator.view.all') };

/** A field for the operator's reason. */
export const reason = (hint: Words, optional = false) => ({
  ...{ name: 'reason', label: t('operator.reason'), hint, maxLength: 200 },
  ...(optional && { optional }),
});

/** A text of a row; empty where it has none. */
export const textOf = (row: JsonRecord, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? value : '';
};

import type { DescMessage, DescMethodUnary } from '@bufbuild/protobuf';
import { t } from '@hearth/i18n';
import type { JsonRecord } from '@hearth/proto-json';
import type { OperatorAct, OperatorPlace, Words } from '@hearth/web';

/** An operation that a row or the list offers as a form, whose fields are named like the request's. */
export interface SectionAct extends Omit<OperatorAct, 'act' | 'id'> {
  method: DescMethodUnary;
  /** The row's field with the target's id, if it is not the section's `idField`. */
  idField?: string;
  /** Offered by the list instead of a row. */
  alone?: boolean;
  /** Whether a row, as its operation returns it, offers this act; every row does by default. */
  offered?: (row: JsonRecord) => boolean;
  /**
   * Builds the request; by default from the row's id and the filled-in fields.
   *
   * @param now milliseconds since 1970
   */
  request?: (id: string, fields: Readonly<Record<string, string>>, now: number) => JsonRecord;
  done: Words;
}

/** A part of a list, and the request that narrows the list to it. */
export interface View {
  /** The value of `show` in the query. */
  show: string;
  words: Words;
  query?: JsonRecord;
}

/** An operator list: the rows of an operation, with their acts. */
export interface Section extends OperatorPlace {
  lead: Words;
  list: DescMethodUnary;
  /** The response field with the rows. */
  rows: string;
  /** The request beside `limit` and `cursor`. */
  query?: JsonRecord;
  /** The row's field with its id in requests; `id` by default. */
  idField?: string;
  /** The views of the list; the first is the default. */
  views?: readonly View[];
  titleOf: (row: JsonRecord) => string;
  /** The row's field with its kind, which goes before the title. */
  kindField?: string;
  acts?: Readonly<Record<string, SectionAct>>;
  /** For the overview: the rows that need the operator, the message that counts them, and the request that finds them. */
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

/** The declaration of a list's rows. */
export const rowOf = ({ list, rows }: Pick<Section, 'list' | 'rows'>): DescMessage =>
  list.output.fields.find(({ name }) => name === rows)!.message!;

/** A text of a row; empty where it has none. */
export const textOf = (row: JsonRecord, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? value : '';
};

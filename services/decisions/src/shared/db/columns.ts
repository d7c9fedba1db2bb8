/** The names of columns with their types, as Postgres has them; ` null` behind one that may be empty. */
export type Columns<Name extends string> = Readonly<Record<Name, string>>;

/** The row of a table with these columns. The fields of `Known` are as that has them. */
export type RowOf<All extends Columns<string>, Known = unknown> = Known & {
  [Name in Exclude<keyof All, keyof Known>]: ValueOf<All[Name]>;
};

type ValueOf<Type extends string> =
  Type extends Column<infer Value>
    ? Value
    : Type extends `${infer Given extends keyof Values} null`
      ? Values[Given] | null
      : Type extends keyof Values
        ? Values[Type]
        : never;

/** Larger numbers, and days, are read as text. */
interface Values {
  uuid: string;
  text: string;
  boolean: boolean;
  smallint: number;
  integer: number;
  bigint: string;
  date: string;
  timestamptz: Date;
  'uuid[]': readonly string[];
}

/** A column whose values are of that kind alone. */
export type Column<Value> = string & { readonly values: Value };
export const column = <Value>(type: string) => type as Column<Value>;

export const namesOf = (columns: Columns<string>) => Object.keys(columns).map((name) => `"${name}"`);

/** As `jsonb_to_record` takes them. */
export const typed = (columns: Columns<string>) =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type.replace(' null', '')}`)
    .join(', ');

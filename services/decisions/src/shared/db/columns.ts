/** Column names and their Postgres types; nullable ones end in ` null`. */
export type Columns<Name extends string> = Readonly<Record<Name, string>>;

/** The row of a table with these columns; fields of `Known` keep their type there. */
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

/** The bigint and date types are read as text. */
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

/** A column whose values have this type. */
export type Column<Value> = string & { readonly values: Value };
export const column = <Value>(type: string) => type as Column<Value>;

export const namesOf = (columns: Columns<string>) => Object.keys(columns).map((name) => `"${name}"`);

/** Column definitions for `jsonb_to_record`. */
export const typed = (columns: Columns<string>) =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type.replace(' null', '')}`)
    .join(', ');

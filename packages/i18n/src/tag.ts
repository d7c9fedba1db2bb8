/** A language tag (BCP 47) in its canonical form, as "pt-BR" for "PT_br"; null for what names no language. */
export function readTag(text: string): string | null {
  try {
    const { language, baseName } = new Intl.Locale(text.trim().replaceAll('_', '-'));
    // A longer first part is well-formed, but names no language.
    return language.length > 3 || language === 'und' ? null : baseName;
  } catch {
    return null;
  }
}

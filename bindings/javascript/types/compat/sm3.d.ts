/** The SM3 digest of a text's UTF-8, in hexadecimal. Halves of characters (lone surrogates) do not count. */
export default function sm3(text: string): string;

import type { Reader } from '../text/reader.ts';

/** Words for a password in languages with non-Latin letters. */
const NAMES =
  'пароль секрет токен 密码 密碼 口令 密钥 密鑰 令牌 パスワード 暗証番号 シークレット 비밀번호 암호 contraseña ' +
  'hasło lösenord şifre κωδικός סיסמה पासवर्ड รหัสผ่าน jelszó парола гасло лозинка lykilorð slaptažodis';

/** The same, of several words. */
const PHRASES = ['mật khẩu', 'كلمة المرور', 'كلمة السر', 'κωδικός πρόσβασης'];

/** By the last character, small or not: the names that end with it, each as its small and its large letters. */
const BY_LAST = new Map<number, (readonly [small: string, large: string])[]>();
for (const name of [...NAMES.split(' '), ...PHRASES]) {
  const letters = [name, name.toUpperCase()] as const;
  for (const code of new Set(letters.map((one) => one.charCodeAt(one.length - 1))))
    BY_LAST.set(code, [...(BY_LAST.get(code) ?? []), letters]);
}

/** The characters that a name may end with. */
export const FOREIGN_ENDS: ReadonlySet<number> = new Set(BY_LAST.keys());

/** Where the name of a password in another language begins that ends here, or -1. */
export function foreignName(reader: Reader, end: number): number {
  for (const [small, large] of BY_LAST.get(reader.code(end - 1)) ?? []) {
    const start = end - small.length;
    let at = small.length - 1;
    while (at >= 0 && isEither(reader.code(start + at), small.charCodeAt(at), large.charCodeAt(at))) at--;
    reader.steps += small.length - at;
    if (at < 0) return start;
  }
  return -1;
}

const isEither = (code: number, small: number, large: number) => code === small || code === large;

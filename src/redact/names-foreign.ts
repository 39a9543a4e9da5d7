import type { Reader } from './reader.ts';

/** What a password is called in languages whose letters are not all of the Latin alphabet. */
const NAMES =
  'пароль секрет токен 密码 密碼 口令 密钥 密鑰 令牌 パスワード 暗証番号 シークレット 비밀번호 암호 contraseña ' +
  'hasło lösenord şifre κωδικός סיסמה पासवर्ड รหัสผ่าน jelszó';

const LIST: readonly string[] = NAMES.split(' ');
const LONGEST = Math.max(...LIST.map(({ length }) => length));
/** By character: 1 if a name ends with it, small or not. */
const LAST = new Uint8Array(65_536);
for (const name of LIST)
  for (const last of [name, name.toUpperCase()]) LAST[last.charCodeAt(last.length - 1)] = 1;

/** Whether a name may end with this character. */
export function mayEndForeign(code: number): boolean {
  return LAST[code] === 1;
}

/** Where the name of a password in another language begins that ends here, or -1. */
export function foreignName(reader: Reader, end: number): number {
  const before = reader.slice(Math.max(0, end - LONGEST), end).toLowerCase();
  const name = LIST.find((one) => before.endsWith(one));
  return name === undefined ? -1 : end - name.length;
}

import { type Planted, within } from './planted.ts';
import { hex, small } from './random.ts';

const colour = (code: string, text: string) => `\u001b[${code}m${text}\u001b[0m`;

/** Secrets as terminals show them, and by what they are called in other languages. */
export const PLANTED_IN_TERMINALS: readonly Planted[] = [
  within('coloured name', `${colour('33', 'password')}=`, 'hunter22x'),
  within('coloured name and value', `${colour('1;34', 'DB_PASSWORD')}: \u001b[32m`, 'hunter22x', '\u001b[0m'),
  within(
    'coloured key of JSON',
    `${colour('34;1', '"password"')}: \u001b[0;32m"`,
    'hunter 22 x',
    '"\u001b[0m',
  ),
  within('coloured word', `${colour('38;5;196', 'token')}=`, small(600, 24)),
  within('coloured match', '\u001b[01;31m\u001b[Kpassword\u001b[m\u001b[K: ', 'hunter22x'),
  within('coloured form', '\u001b[32m', `AKIA${hex(601, 16).toUpperCase()}`, '\u001b[0m'),
  within('coloured token', '\u001b[36m', `dop_v1_${hex(602, 64)}`, '\u001b[0m'),
  within('coloured command', `${colour('32', 'mysql')} -u root -p`, 'mysqlsecret', ' shop'),
  within('russian', 'пароль: ', 'hunter22x'),
  within('russian variable', 'ПАРОЛЬ=', 'hunter22x'),
  within('chinese', '密码：', 'hunter22x'),
  within('chinese in JSON', '"数据库密码": "', 'hunter22x', '"'),
  within('japanese', 'パスワード: ', 'hunter22x'),
  within('korean', '비밀번호 = ', 'hunter22x'),
  within('spanish', 'contraseña: ', 'hunter22x'),
  within('polish', 'hasło=', 'hunter22x'),
  within('swedish', 'lösenord: "', 'hunter22x', '"'),
  within('turkish', 'şifre: ', 'hunter22x'),
  within('portuguese', 'senha=', 'hunter22x'),
  within('dutch', 'wachtwoord: ', 'hunter22x'),
];

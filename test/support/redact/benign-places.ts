/** Lines, rows and sentences that have no secret in the place where others of their kind have one. */
export const BENIGN_PLACES: Readonly<Record<string, string>> = {
  'net without a password':
    'net use Z: \\\\nas01\\media /persistent:yes; net use * /delete; net user bob /active:no',
  'net in a sentence': 'The net user growth slowed down; net use of energy is low.',
  'insert with parameters':
    "INSERT INTO users (name, password) VALUES (?, ?); INSERT INTO u (name, password) VALUES ($1, crypt($2, gen_salt('bf')))",
  'list of words': 'my @keys = (\n  "user",\n  "password",\n  "patches_dir",\n  "perl5lib_verbosity",\n);',
  'insert of settings': "INSERT INTO settings (key, value) VALUES ('theme', 'dark-blue-2')",
  'insert of tokens': "INSERT INTO tokens (kind, token) VALUES ('word', 'identifier')",
  'values of an object': 'const values = Object.values(x); values (1, 2)',
  'table of parameters':
    '| Parameter | Type | Description |\n|---|---|---|\n| `user` | string | login |\n| `password` | string | the password |',
  'table of cases':
    '| Username | Password | Result |\n|---|---|---|\n| valid | invalid | error |\n| empty | empty | error |',
  'table of variables':
    '| Service | Password |\n|---|---|\n| db | DB_PASSWORD |\n| mq | <password> |\n| s3 | `$S3_PASS` |',
  'table of rules': '| User | Password |\n|---|---|\n| admin | at least 12 characters |',
  'table of tokens': '| Token | Name |\n|---|---|\n| `IDENT` | an identifier |\n| spacing-4 | 16px |',
  'columns with types': 'name,password,email\nstring,string,string',
  'labels in columns': 'field,username,password\nlabel,Username,Password\nhint,Your name,Your password',
  'a folder named after a path':
    '/home/me/.grok/sessions/%2Ftmp%2Fhookline-client-IM5WsQ%2Fproject/01a1ed78/updates.jsonl, ~/.x/%2Fsrv%2FaB3dE5fG7hJ9kL1mN3pQ5',
  'names that are imported':
    'import { user, password, token } from "./fixtures"\nimport { a, b, c } from "./other"',
  'expectations of a test': 'expect(res.body.password).toBeUndefined();\nres.send("done\\n");',
  'expect without a secret': 'expect "password:"\nsend "$password\\r"\nexpect "$ "\nsend "ls -la\\r"',
  msbuild: 'msbuild App.sln /p:Configuration=Release /p:Platform=x64',
  'rclone without a secret': 'rclone sync remote:pass /backup; rclone config show',
  'sqlplus without a secret':
    'sqlplus / as sysdba; sqlplus /nolog; sqlplus -s app/$PASS@db; sqlplus app@orcl',
  'lines into sort': '(echo beta; echo alpha) | sort | uniq -c',
  'rules in other languages':
    'Mot de passe : requis. Le mot de passe est obligatoire. Passwort: mindestens 8 Zeichen. Senha: obrigatória. Passord: minst 8 tegn',
  'more rules in other languages':
    'La clave primaria es id. parola: string. kata sandi: wajib diisi. パスワード: 8文字以上 密码: 至少8位 пароль: обязательное поле',
  'gh without a secret':
    'gh pr create -b "see below" --body other; gh variable set REGION --body eu-west; gh secret set API < file; gh secret list',
  'gh secret of a variable': 'gh secret set API --body "$API" && echo "$API" | gh secret set API',
  'settings without a secret':
    'heroku config:set A=$A; fly secrets list; vault kv get secret/x; glab variable list; vercel env ls; doppler secrets',
  'a login in a sentence':
    'The vault login page is slow. Use cargo login first, then snyk auth again. See wandb login help.',
  'table of settings': '| Name | Value |\n|---|---|\n| region | eu-west-1 |\n| retries | 3 |',
  'npm without a secret':
    'npm config set registry https://r.org/; npm set save-exact true; npm config get _authToken',
  'npm with a variable': `npm config set //r.org/:_authToken $NPM_TOKEN; npm c set _auth "\${AUTH}"`,
  'tests that pass':
    'All tests pass. They pass insert and update; pass insert mail/x; pass show mail/x | head',
  'codes of other kinds':
    'https://x.org/shop?code=SAVE20 https://x.org/?code=US&lang=en exit code=137 error_code=invalid_request&state=open_now status_code=200',
  'code of an error beside a sign-in':
    'https://x.org/cb?error_code=access_denied&state=closed; response_type=code',
  'table of secrets':
    '| Variable | Description |\n|---|---|\n| DB_PASSWORD | Password of the database |\n| API_KEY | see `vault` |',
  'table of types': '| Password | string |\n| Token | `Token` | yes |\n| password | user.password |',
  'table of heads': '| Password | Result |\n|---|---|\n| valid | ok |',
  'table of links': '| Reset password | link |\n| Forgot password | mail |',
  'table of keys': '| Primary key | Name |\n|---|---|\n| id42x7a | x |\n| Key | Value |',
  'bold label of a rule': '**Password:** required. **Token**: see below',
};

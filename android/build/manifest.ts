import { type Parameters, versionCode } from './parameters.ts';

export type App = 'customer' | 'kitchen';
export const minSdk = 24;
export const targetSdk = 36;

interface Kind {
  app: App;
  /** A store's own updates need no permission to install. */
  updatesItself: boolean;
}

const customerPermissions = ['INTERNET', 'ACCESS_NETWORK_STATE', 'POST_NOTIFICATIONS'];
const updatePermissions = ['REQUEST_INSTALL_PACKAGES', 'UPDATE_PACKAGES_WITHOUT_USER_ACTION'];
const kitchenPermissions = [
  'ACCESS_WIFI_STATE',
  // A service of the type `connectedDevice` needs one of the kinds of connection that it may be for.
  'CHANGE_NETWORK_STATE',
  'CAMERA',
  'FOREGROUND_SERVICE',
  'FOREGROUND_SERVICE_CONNECTED_DEVICE',
  'RECEIVE_BOOT_COMPLETED',
  'REQUEST_IGNORE_BATTERY_OPTIMIZATIONS',
  'WAKE_LOCK',
];

export function permissionsOf({ app, updatesItself }: Kind): string[] {
  return [
    ...customerPermissions,
    ...(app === 'kitchen' ? kitchenPermissions : []),
    ...(updatesItself ? updatePermissions : []),
  ].toSorted();
}

export function packageOf(app: App, parameters: Parameters): string {
  return app === 'customer' ? parameters.customerPackage : parameters.kitchenPackage;
}

export function writeManifest(kind: Kind, parameters: Parameters): string {
  const { app } = kind;
  const permissions = permissionsOf(kind).map((name) => `<uses-permission android:name="android.permission.${name}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${packageOf(app, parameters)}"
    android:versionCode="${versionCode(parameters.version)}" android:versionName="${parameters.version}">
  <uses-sdk android:minSdkVersion="${minSdk}" android:targetSdkVersion="${targetSdk}"/>
  ${permissions.join('\n  ')}
  ${app === 'kitchen' ? '<uses-feature android:name="android.hardware.camera" android:required="false"/><uses-feature android:name="android.hardware.wifi" android:required="false"/>' : ''}
  <application android:label="@string/app_name" android:icon="@mipmap/ic_launcher" android:theme="@style/App"
      android:allowBackup="false" android:fullBackupContent="false" android:hardwareAccelerated="true" android:supportsRtl="true"
      android:debuggable="${parameters.isDebug}" android:usesCleartextTraffic="false" android:networkSecurityConfig="@xml/network">
    <meta-data android:name="hatch.app" android:value="${app}"/>
    <meta-data android:name="hatch.shop" android:value="${app === 'customer' ? parameters.address : ''}"/>
    <meta-data android:name="hatch.updates" android:value="${kind.updatesItself}"/>
    <activity android:name="hatch.shell.ShellActivity" android:exported="true" android:launchMode="singleTask"
        android:windowSoftInputMode="adjustResize" android:resizeableActivity="true"
        android:configChanges="orientation|screenSize|smallestScreenSize|screenLayout|keyboard|keyboardHidden|navigation|uiMode|density|fontScale">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LAUNCHER"/>
      </intent-filter>${app === 'customer' ? links(parameters) : ''}
    </activity>${kind.updatesItself ? '\n    <receiver android:name="hatch.shell.InstallReceiver" android:exported="false"/>' : ''}${
      app === 'kitchen' ? kitchenParts : ''
    }
  </application>
</manifest>
`;
}

/** Pages of the shop that its app opens, and the way back from a Custom Tab. Links.java decides what may be opened. */
function links({ address, customerPackage }: Parameters): string {
  const { protocol, host } = new URL(address);
  return `
      <intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW"/>
        <category android:name="android.intent.category.DEFAULT"/>
        <category android:name="android.intent.category.BROWSABLE"/>
        <data android:scheme="${protocol.slice(0, -1)}" android:host="${host.split(':')[0] ?? ''}"/>
        <data android:path="/menu"/>
        <data android:pathPrefix="/orders/"/>
      </intent-filter>
      <intent-filter>
        <action android:name="android.intent.action.VIEW"/>
        <category android:name="android.intent.category.DEFAULT"/>
        <category android:name="android.intent.category.BROWSABLE"/>
        <data android:scheme="${customerPackage}"/>
      </intent-filter>`;
}

const kitchenParts = `
    <service android:name="hatch.shell.BoardService" android:exported="false" android:foregroundServiceType="connectedDevice"/>
    <receiver android:name="hatch.shell.BootReceiver" android:exported="false">
      <intent-filter>
        <action android:name="android.intent.action.BOOT_COMPLETED"/>
        <action android:name="android.intent.action.MY_PACKAGE_REPLACED"/>
      </intent-filter>
    </receiver>
    <receiver android:name="hatch.shell.BoardAdmin" android:exported="true" android:permission="android.permission.BIND_DEVICE_ADMIN">
      <meta-data android:name="android.app.device_admin" android:resource="@xml/admin"/>
      <intent-filter>
        <action android:name="android.app.action.DEVICE_ADMIN_ENABLED"/>
      </intent-filter>
    </receiver>`;

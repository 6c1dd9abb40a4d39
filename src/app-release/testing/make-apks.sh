#!/bin/sh
# Makes the small apps in `apks/` that the tests upload, with Android's own tools: they must not share a mistake with the code that
# reads them. Needs Debian's aapt, apksigner, zipalign, android-framework-res and a JDK. The keys are new each time and thrown away.
set -eu
out="$(cd "$(dirname "$0")" && pwd)/apks"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
framework=/usr/share/android-framework-res/framework-res.apk

key() { # name, subject, key options
  keytool -genkeypair -keystore "$1.p12" -storetype PKCS12 -storepass android -alias app -validity 10950 -dname "$2" $3
}
key shop 'CN=Test shop' '-keyalg EC -groupname secp256r1'
key other 'CN=Other key' '-keyalg EC -groupname secp256r1'
key debug 'CN=Android Debug,O=Android,C=US' '-keyalg RSA -keysize 2048'
key hatch 'CN=Hatch debug' '-keyalg RSA -keysize 2048'

version=3.10.20 package=com.example.shop key=shop target=36 schemes='true true' meta='' attributes=''
customer='<meta-data android:name="hatch.app" android:value="customer"/><meta-data android:name="hatch.shop" android:value="https://shop.example.com"/>'
kitchen='<meta-data android:name="hatch.app" android:value="kitchen"/>'
make() ( # file, then changes of the variables above
  file="$1"
  shift
  for change in "$@"; do export "$change"; done
  code="$(echo "$version" | awk -F. '{ print $1 * 1000000 + $2 * 1000 + $3 }')"
  set -- $schemes
  echo "<manifest xmlns:android='http://schemas.android.com/apk/res/android' package='$package'>
    <application android:hasCode='false' android:label='Test shop' $attributes>$meta</application></manifest>" > manifest.xml
  aapt2 link -I "$framework" --manifest manifest.xml --min-sdk-version 24 --target-sdk-version "$target" \
    --version-code "$code" --version-name "$version" -o unaligned.apk
  zipalign -f 4 unaligned.apk aligned.apk
  apksigner sign --ks "$key.p12" --ks-pass pass:android --ks-key-alias app --min-sdk-version 24 \
    --v1-signing-enabled "${3:-false}" --v2-signing-enabled "$1" --v3-signing-enabled "$2" --v4-signing-enabled false \
    --out "$out/$file.apk" aligned.apk
)
mkdir -p "$out"
make shop-18 version=3.10.18 meta="$customer"
make shop-19 version=3.10.19 meta="$customer"
make shop-20 meta="$customer"
make kitchen-18 version=3.10.18 package=com.example.kitchen meta="$kitchen"
make kitchen-19 version=3.10.19 package=com.example.kitchen meta="$kitchen"
make other-signer key=other meta="$customer"
make other-package package=com.example.other meta="$customer"
make other-shop meta="$(echo "$customer" | sed s/shop.example.com/other.example.com/)"
make debuggable meta="$customer" attributes="android:debuggable='true'"
make old-target target=29
make debug-key key=debug
make own-debug-key version=3.10.18 key=hatch meta="$customer"
make odd-version version=3.10.20-beta
make only-v2 schemes='true false'
make only-v1 schemes='false false true'
rm -f "$out"/*.idsig

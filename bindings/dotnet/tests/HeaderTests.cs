// The declarations of P/Invoke beside the C library's headers, which nothing else compares.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Kuaimi.Tests
{
    internal static class HeaderTests
    {
        private static readonly Regex Prototype = new Regex(@"(kuaimi_error|void|const char \*)\s*(kuaimi_\w+)\s*\(([^)]*)\)");

        [Test]
        internal static void Functions()
        {
            var prototypes = new Dictionary<string, (string Result, string[] Parameters)>();
            foreach (var header in Directory.GetFiles(Path.Combine(Repository.Root, "crates/kuaimi-capi/include/kuaimi"), "*.h"))
            {
                var text = Regex.Replace(File.ReadAllText(header), @"/\*.*?\*/", string.Empty, RegexOptions.Singleline);
                foreach (Match? match in Prototype.Matches(text))
                {
                    var parameters = match!.Groups[3].Value.Split(',').Select(one => Regex.Replace(one.Trim(), @"\s+", " ")).Where(one => one != "void").ToArray();
                    prototypes[match.Groups[2].Value] = (match.Groups[1].Value, parameters);
                }
            }
            var declared = typeof(Sm2).Assembly.GetTypes().SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic))
                .Where(method => method.GetCustomAttribute<DllImportAttribute>() != null).ToList();
            Check.True(declared.Count > 100, "there are declarations");
            foreach (var method in declared)
            {
                Check.True(prototypes.TryGetValue(method.Name, out var prototype), $"the headers have {method.Name}");
                Check.Equal(Result(prototype.Result), method.ReturnType, method.Name);
                Check.Equal(
                    string.Join(", ", prototype.Parameters.Select(InC)), string.Join(", ", method.GetParameters().Select(InDotNet)), method.Name);
            }
        }

        [Test]
        internal static void Numbers()
        {
            var text = string.Concat(Directory.GetFiles(Path.Combine(Repository.Root, "crates/kuaimi-capi/include/kuaimi"), "*.h").Select(File.ReadAllText));
            var numbers = Regex.Matches(text, @"^  (KUAIMI_\w+) = (\d+),", RegexOptions.Multiline).Cast<Match>().ToDictionary(one => one.Groups[1].Value, one => int.Parse(one.Groups[2].Value));
            void Same(string prefix, Type type, params string[] passedOver)
            {
                var values = Enum.GetValues(type).Cast<object>().Select(Convert.ToInt32).OrderBy(one => one);
                var expected = numbers.Where(one => one.Key.StartsWith(prefix, StringComparison.Ordinal) && !passedOver.Contains(one.Key)).Select(one => one.Value).OrderBy(one => one);
                Check.Equal(string.Join(' ', expected), string.Join(' ', values), type.Name);
            }
            Same("KUAIMI_SM2_CIPHERTEXT_", typeof(Sm2CiphertextFormat));
            Same("KUAIMI_SM9_MODE_", typeof(Sm9EncryptionMode));
            Same("KUAIMI_SM9_MAC_", typeof(Sm9Mac));
            Same("KUAIMI_SM9_CIPHERTEXT_", typeof(Sm9CiphertextFormat));
            Same("KUAIMI_ERROR_", typeof(KuaimiErrorKind),
                "KUAIMI_ERROR_TLCP", "KUAIMI_ERROR_NULL_POINTER", "KUAIMI_ERROR_INVALID_HANDLE", "KUAIMI_ERROR_BUFFER_TOO_SMALL", "KUAIMI_ERROR_ALREADY_USED");
        }

        private static Type Result(string result) => result == "kuaimi_error" ? typeof(int) : result == "void" ? typeof(void) : typeof(IntPtr);

        /// What a parameter is: bytes, a number of a size, an enumeration, a handle, a handle that is made, a structure.
        private static string InC(string parameter)
        {
            var match = Regex.Match(parameter, @"^(?:const )?(\w+) (\**)(?:const )?\w+$");
            Check.True(match.Success, parameter + " is understood");
            string type = match.Groups[1].Value, stars = match.Groups[2].Value;
            switch (type)
            {
                case "uint8_t":
                    return "byte" + stars;
                case "size_t":
                    return "size" + stars;
                case "uint32_t":
                    return "uint";
                case "kuaimi_error":
                    return "int" + stars;
                case "kuaimi_bytes":
                case "kuaimi_password_encryption":
                case "kuaimi_sm9_options":
                    return "structure*";
                default:
                    return type.EndsWith("_item", StringComparison.Ordinal) ? "structure*" : stars.Length == 0 ? "enumeration" : stars + type.Substring("kuaimi_".Length).Replace("_", string.Empty);
            }
        }

        private static string InDotNet(ParameterInfo parameter)
        {
            var type = parameter.ParameterType;
            // Only what frees a handle takes its address.
            if (type == typeof(IntPtr))
            {
                var name = parameter.Member.Name;
                return "*" + name.Substring("kuaimi_".Length, name.Length - "kuaimi__free".Length).Replace("_", string.Empty);
            }
            var handle = type.IsByRef ? type.GetElementType()! : type;
            if (typeof(SafeHandle).IsAssignableFrom(handle))
            {
                return (type.IsByRef ? "**" : "*") + handle.Name.Substring(0, handle.Name.Length - "Handle".Length).ToLowerInvariant();
            }
            if (type.IsEnum)
            {
                Check.Equal(typeof(int), type.GetEnumUnderlyingType());
                return "enumeration";
            }
            switch (type.Name.TrimEnd('*'))
            {
                case "Byte":
                    return "byte" + type.Name.Substring(4);
                case "UIntPtr":
                    return "size" + type.Name.Substring(7);
                case "UInt32":
                    return "uint";
                case "Int32":
                    return "int" + type.Name.Substring(5);
                default:
                    return "structure*";
            }
        }
    }
}
